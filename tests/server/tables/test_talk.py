from __future__ import annotations
from fracas.replay.table_file import verify_proof
def test_a_whole_table(new_table):
    table = new_table().begin()
    one, two = table.sockets
    print([each["type"] for each in one.heard])
    view = one.heard[-1]
    print(view)
    table.choose(0, 1, "rock"); print(one.settle()); print(two.settle())
    table.choose(1, 1, "paper"); print(one.settle()); print(two.settle())
    step = 2
    while True:
        table.choose(0, step, "rock"); table.choose(1, step, "paper")
        found = one.settle()
        if any(each["type"] == "over" for each in found): print(found[-1]); break
        step += 1
    proof = table.proof()
    assert verify_proof(proof, "proof").explanation == ""
