"""Agents for Kaggle's ConnectX: sources, and what they return."""

import sys
from pathlib import Path

from c4_referee.bots.agents import RUNNER_PATH

COMMAND = [sys.executable, str(RUNNER_PATH)]
"""Command that runs the agent in a file, whose path follows."""

HELPER = "import enum\nclass Number(enum.IntEnum):\n    THREE = 3\n"
ANSWERS = {
    "int": ("3", 3),
    "subclass of int": ("Number.THREE", 3),
    "None": ("None", 0),
    "text": ("'3'", None),
    "true": ("True", None),
    "integer of numpy": ("__import__('numpy').int64(3)", None),
    "fraction": ("3.5", None),
    "list": ("[3]", None),
    "exception": ("ValueError('no')", None),
    "negative": ("-1", None),
    "off the board": ("7", None),
    "far off the board": ("10 ** 30", None),
}
"""Expressions that agents return on the empty board, with their columns; ``None`` is no move."""

SOURCES = {
    "two parameters": ("def agent(obs, config):\n    return config.columns - 1\n", 6),
    "one parameter": ("def agent(obs):\n    return obs['mark'] + obs.mark\n", 2),
    "no parameter": ("def agent():\n    return 4\n", 4),
    "more parameters": ("def agent(obs, config, best=5):\n    return best\n", 5),
    "any parameters": ("def agent(*given):\n    return len(given)\n", 0),
    "lambda": ("agent = lambda obs, config: 3\n", 3),
    "object": (
        "class Agent:\n    def __call__(self, obs, config):\n        return config['rows'] - 1\n"
        "agent = Agent()\n",
        5,
    ),
    "last function": ("def one(obs):\n    return 1\ndef two(obs):\n    return 2\n", 2),
    "defined twice": (
        "def one(obs):\n    return 1\ndef two(obs):\n    return 2\ndef one(obs):\n    return 5\n",
        2,
    ),
    "import after it": ("def agent(obs):\n    return 1\nfrom math import factorial\n", None),
    "module beside it": ("import beside\ndef agent(obs):\n    return beside.COLUMN\n", 4),
    "module beside it, later": ("def agent(obs):\n    import beside\n    return 4\n", None),
    "name of its file": ("HERE = __file__\ndef agent(obs):\n    return 1\n", None),
    "main": ("X = __name__\ndef agent(obs):\n    return ['builtins', '__main__'].index(X)\n", 0),
    "copied observation": (
        "import copy\ndef agent(obs):\n    obs = copy.deepcopy(obs)\n    obs.step += 1\n"
        "    return obs['step'] + len(vars(obs)) - len(obs)\n",
        1,
    ),
    "own process": (
        "import os\ndef agent(obs):\n    os.system('echo noise')\n    return 3\n", 3,
    ),
    "prints": ("print('noise')\ndef agent(obs):\n    print('noise' * 9999)\n    return 3\n", 3),
    "fails": ("def agent(obs):\n    return 1 // 0\n", None),
    "fails to load": ("1 // 0\ndef agent(obs):\n    return 1\n", None),
    "syntax": ("def agent(obs) return 1\n", None),
    "nothing": ("", None),
}  # fmt: skip
"""Files of agents, with the columns that they play on the empty board; ``None`` is no move."""

CASES = SOURCES | {
    f"returns {name}": (f"{HELPER}def agent(obs):\n    return {text}\n", column)
    for name, (text, column) in ANSWERS.items()
}


def write_agent(folder: Path, name: str) -> Path:
    """Write the agent of this name into a folder, with a module beside it; return its path."""
    (folder / "beside.py").write_text("COLUMN = 4\n")
    path = folder / "agent.py"
    path.write_text(CASES[name][0])
    return path
