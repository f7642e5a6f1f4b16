"""Commands that play, save and replay single battles: campaign, commit, duel, pack, replay, run."""
