"""Trains with Stable-Baselines3 and PyTorch, which no requirement of the project holds.

    python scripts/soak/training_libraries.py                    installs them in an environment of its own first
    python scripts/soak/training_libraries.py --steps 200000
    python scripts/soak/training_libraries.py --here             with the libraries of this interpreter

Checks that the native batch is a sound `VecEnv` of Stable-Baselines3: it says what Gymnasium's environments say,
`MaskablePPO` of sb3-contrib finds the masks and learns to win more, and plain PPO trains. Checks that tensors of
PyTorch share memory with the batch. Prints figures. Exit status: 0 if everything held.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
RULESET, ENVS, EVALUATED = "titans", 256, 512


def main() -> int:
    """Install what is needed and run the checks in it, or run them here."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--here", action="store_true", help="install nothing")
    parser.add_argument("--steps", type=int, default=100_000, help="how many decisions MaskablePPO learns from")
    options = parser.parse_args()
    if options.here:
        return check(options.steps)
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"{ROOT}[sb3]", "sb3-contrib", "torch"], check=True)
        command = [python, __file__, "--here", "--steps", str(options.steps)]
        return subprocess.run(command, check=False).returncode


def check(steps: int) -> int:
    """All checks, one after the other; each raises AssertionError."""
    shared_memory()
    same_as_gymnasium()
    for version in (1, 2):
        learns(version, steps)
    plain_ppo()
    print("everything held")
    return 0


def shared_memory() -> None:
    """Tensors made once show every later step."""
    import torch

    from fracas.envs.battles.vector import BattleVectorEnv

    env = BattleVectorEnv(RULESET, 512, copy=False, version=2)
    seen, _ = env.reset(seed=1)
    arrays = env.shared_arrays()
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    passed = torch.from_dlpack(arrays["observation"])
    for _ in range(20):
        seen, rewards, *_ = env.step(seen["action_mask"].argmax(axis=1))
        for tensor in (tensors["observation"], passed):
            assert np.array_equal(tensor.numpy(), seen["observation"])
        assert np.array_equal(tensors["reward"].numpy(), rewards)
    assert tensors["observation"].data_ptr() == arrays["observation"].ctypes.data == passed.data_ptr()
    print(f"PyTorch {torch.__version__}: from_numpy and from_dlpack share memory with a batch of 512")


def same_as_gymnasium() -> None:
    """The `VecEnv` says what single environments say, in each step, terminal observations included."""
    from stable_baselines3.common.vec_env import DummyVecEnv

    import fracas.envs
    from fracas.envs.sb3 import FracasVecEnv

    count, most = 6, 9
    native = FracasVecEnv(RULESET, count, max_episode_steps=most)
    made = [_flat(fracas.envs.BattleEnv(RULESET, version=2), most) for _ in range(count)]
    singles: Any = DummyVecEnv([lambda env=env: env for env in made])
    native.seed(5)
    singles.seed(5)
    one, other = native.reset(), singles.reset()
    rng = np.random.default_rng(1)  # noqa: TID251  # agents may choose by any generator
    ends = 0
    for _ in range(60):
        assert np.array_equal(one, other)
        masks = native.action_masks()
        assert np.array_equal(masks, np.stack(singles.env_method("action_masks")))
        assert np.array_equal(masks, np.stack(native.env_method("action_masks")))
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        one, rewards, done, infos = native.step(actions)
        other, rewards_again, done_again, infos_again = singles.step(actions)
        assert np.array_equal(rewards, rewards_again)
        assert np.array_equal(done, done_again)
        for mine, yours in zip(infos, infos_again, strict=True):
            assert ("terminal_observation" in mine) == ("terminal_observation" in yours)
            if "terminal_observation" in mine:
                ends += 1
                assert np.array_equal(mine["terminal_observation"], yours["terminal_observation"])
                assert mine["TimeLimit.truncated"] == yours["TimeLimit.truncated"]
    assert ends
    print(f"VecEnv: as DummyVecEnv over single environments for 60 steps, {ends} episodes ended")


def _flat(env: Any, most: int) -> Any:
    """A single environment that shows the numbers alone, cut after so many steps."""
    import gymnasium

    class Flat(gymnasium.ObservationWrapper[Any, Any, Any]):
        def __init__(self, inner: Any) -> None:
            super().__init__(inner)
            self.observation_space = inner.observation_space["observation"]

        def observation(self, observation: Any) -> Any:
            return observation["observation"]

        def action_masks(self) -> Any:
            return self.unwrapped.action_masks()  # type: ignore[attr-defined]

    return gymnasium.wrappers.TimeLimit(Flat(env), most)


def learns(version: int, steps: int) -> None:
    """MaskablePPO wins more than before it learned, when it chooses as often as it says; all it chooses is legal."""
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

    from fracas.envs.sb3 import FracasVecEnv

    env = FracasVecEnv(RULESET, ENVS, version=version, opponent="greedy", strict=True)
    assert is_masking_supported(env)
    env.seed(1)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=2048, n_epochs=4, learning_rate=1e-3, seed=1)

    def mean_reward() -> float:
        playing = FracasVecEnv(RULESET, ENVS, version=version, opponent="greedy", strict=True)
        playing.seed(10_000)
        seen, total, battles = playing.reset(), 0.0, 0
        while battles < EVALUATED:
            actions, _ = model.predict(seen, action_masks=np.stack(get_action_masks(playing)))
            seen, rewards, done, _ = playing.step(actions)
            total, battles = total + float(rewards.sum()), battles + int(done.sum())
        return total / battles

    before, began = mean_reward(), time.perf_counter()
    model.learn(steps)
    spent = time.perf_counter() - began
    after = mean_reward()
    rate = model.num_timesteps / spent
    print(
        f"MaskablePPO, version {version}: {before:+.2f} -> {after:+.2f}, {model.num_timesteps:,} steps, {rate:,.0f}/s"
    )
    assert after > before + 0.2


def plain_ppo() -> None:
    """PPO without masks trains too: an illegal action counts as the first legal one."""
    from stable_baselines3 import PPO

    from fracas.envs.sb3 import FracasVecEnv

    PPO("MlpPolicy", FracasVecEnv("squads", 64), n_steps=16, batch_size=512, seed=1).learn(2048)
    print("PPO: squads, 2,048 steps")


if __name__ == "__main__":
    sys.exit(main())
