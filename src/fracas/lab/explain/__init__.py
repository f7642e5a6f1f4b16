"""Why a battle ended as it did: rollouts from the middle."""
