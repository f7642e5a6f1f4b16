"""PPO in one file, with PyTorch: squads against the content's strategy, thousands of battles at once.

    pip install "fracas[envs]" torch
    python examples/envs/ppo_torch.py --minutes 3

One network looks at the whole observation, 289 numbers, and scores all 51 actions; the mask leaves only legal ones. As
in CleanRL (S. Huang and others, 2022) everything is in this file. PyTorch is no requirement of Fracas.
"""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import fracas.envs  # noqa: F401  # makes the environments known to Gymnasium

ENVS, STEPS, PASSES, PARTS = 256, 64, 4, 4
DISCOUNT, SMOOTHING, CLIP, ENTROPY, RATE = 0.99, 0.95, 0.2, 0.01, 1e-3


class Agent(nn.Module):
    """An actor and a critic with a layer of their own on top of two common ones."""

    def __init__(self, features: int, actions: int) -> None:
        super().__init__()
        self.common = nn.Sequential(nn.Linear(features, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.actor, self.critic = nn.Linear(128, actions), nn.Linear(128, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """How likely each legal action is, and what the state is worth."""
        inner = self.common(seen)
        return Categorical(logits=self.actor(inner).masked_fill(mask == 0, -1e9)), self.critic(inner)[:, 0]


def tensors(seen: dict[str, np.ndarray]) -> tuple[torch.Tensor, torch.Tensor]:
    """An observation of all environments; environments that restart get a mask that allows everything."""
    mask = seen["action_mask"].copy()
    mask[~mask.any(axis=1)] = 1
    return torch.from_numpy(seen["observation"].copy()), torch.from_numpy(mask)


def main() -> None:
    """Train for some minutes, then measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    envs = gymnasium.make_vec("fracas/Squads-v1", num_envs=ENVS, autoreset_mode="SameStep")
    features = envs.single_observation_space["observation"].shape[0]
    agent = Agent(features, int(envs.single_action_space.n))
    optimizer = torch.optim.Adam(agent.parameters(), RATE, eps=1e-5)
    seen, mask = tensors(envs.reset(seed=arguments.seed)[0])
    started, battles, scores = time.monotonic(), 0, []
    number = 0
    while time.monotonic() - started < 60 * arguments.minutes:
        rows = []
        for _ in range(STEPS):
            with torch.no_grad():
                choice, value = agent(seen, mask)
                action = choice.sample()
            after, reward, ended, _, _ = envs.step(action.numpy())
            rows.append((seen, mask, action, choice.log_prob(action), value, reward, ended))
            scores += ((1 + reward[ended]) / 2).tolist()
            battles += int(ended.sum())
            seen, mask = tensors(after)
        learn(agent, optimizer, rows, seen, mask)
        number += 1
        if number % 5 == 0:
            print(
                f"{time.monotonic() - started:4.0f} s  {battles:6,} battles  score {np.mean(scores[-1000:]):.3f}",
                flush=True,
            )
    measure(agent, arguments.seed + 1)


def learn(agent: Agent, optimizer: torch.optim.Optimizer, rows: list, seen: torch.Tensor, mask: torch.Tensor) -> None:
    """Generalised advantages, then some passes over all steps with clipped ratios."""
    views, masks, actions, logs, values = (torch.stack([row[place] for row in rows]) for place in range(5))
    rewards = torch.tensor(np.stack([row[5] for row in rows]), dtype=torch.float32)
    ended = torch.tensor(np.stack([row[6] for row in rows]), dtype=torch.float32)
    with torch.no_grad():
        following = agent(seen, mask)[1]
    advantages, later = torch.zeros_like(rewards), torch.zeros(ENVS)
    for step in reversed(range(STEPS)):
        error = rewards[step] + DISCOUNT * following * (1 - ended[step]) - values[step]
        later = error + DISCOUNT * SMOOTHING * (1 - ended[step]) * later
        advantages[step], following = later, values[step]
    flat = [each.flatten(0, 1) for each in (views, masks, actions, logs, advantages, advantages + values)]
    for _ in range(PASSES):
        for part in torch.randperm(ENVS * STEPS).chunk(PARTS):
            see, allowed, taken, before, gain, wanted = (each[part] for each in flat)
            choice, value = agent(see, allowed)
            ratio = (choice.log_prob(taken) - before).exp()
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss = -surrogate + 0.5 * (value - wanted).pow(2).mean() - ENTROPY * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def measure(agent: Agent, seed: int, battles: int = 1000) -> None:
    """The score of the best action in new battles, with its 95% interval."""
    envs = gymnasium.make_vec("fracas/Squads-v1", num_envs=battles, autoreset_mode="Disabled")
    seen, _ = envs.reset(seed=seed)
    alive, result = np.ones(battles, bool), np.zeros(battles)
    while alive.any():
        with torch.no_grad():
            action = agent(*tensors(seen))[0].probs.argmax(dim=1).numpy()
        seen, reward, ended, _, _ = envs.step(action)
        result += reward
        alive &= ~ended
    score = (1 + result.mean()) / 2
    error = 1.96 * result.std() / 2 / np.sqrt(battles)
    print(f"score {score:.3f}, 95% interval {score - error:.3f} to {score + error:.3f}, {battles:,} new battles")


if __name__ == "__main__":
    main()
