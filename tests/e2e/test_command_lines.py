"""Mistakes and completion in all four commands, and arguments of drivers in ``c4-bot``."""

import os
import shutil
import subprocess

import pexpect
import pytest
from commands import SCRIPTS

COMMANDS = ("c4-bot", "c4-solve", "c4-referee", "c4-tune")


def run(command: str, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end."""
    return subprocess.run(
        [SCRIPTS / command, *arguments], input=stdin, capture_output=True, check=False
    )


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_script_is_understood_by_its_shell(run_command, command, shell, tmp_path):
    """The shell accepts the completion script. The script names the command."""
    done = run_command(command, "--print-completion", shell)
    assert (done.stderr, done.returncode) == (b"", 0)
    assert command.encode() in done.stdout
    script = tmp_path / "script"
    script.write_bytes(done.stdout)
    if program := shutil.which(shell):
        check = [program, "-n", script] if shell != "tcsh" else [program, "-f", script]
        checked = subprocess.run(check, capture_output=True, check=True)
        assert checked.stderr == b""


@pytest.fixture(scope="module")
def bash(tmp_path_factory):
    """Return a function from the words of a command line to bash's completions of the last one."""
    home = tmp_path_factory.mktemp("bash")
    (home / "games").mkdir()
    (home / "class.toml").touch()
    for command in COMMANDS:
        (home / command).write_bytes(run(command, "--print-completion", "bash").stdout)

    def offers(*words: str) -> set[str]:
        line = " ".join(words)
        program = (
            f"source {home / words[0]}; cd {home}; COMP_WORDS=({line}); "
            f"[[ '{line}' == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); "
            f'complete -p {words[0]} >/dev/null; $(complete -p {words[0]} | sed "s/.*-F \\([^ ]*\\)'
            ' .*/\\1/"); printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(["bash", "-c", program], capture_output=True, check=True, text=True)
        return set(done.stdout.split())

    return offers


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("c4-bot", "--plays", "n"), ["needed"]),
        (("c4-bot", "--plays", "level-1"), ["level-1", "level-10"]),
        (("c4-bot", "--dialect", "co"), ["codingame", "console"]),
        (("c4-bot", "--pla"), ["--plays", "--player", "--play"]),
        (("c4-bot", "--evaluator", "cl"), ["class.toml"]),
        (("c4-solve", "cl"), ["class.toml"]),
        (("c4-solve", "--variant", "l"), ["line8"]),
        (("c4-referee", "t"), ["tournament"]),
        (("c4-referee", "tournament", "cl"), ["class.toml"]),
        (("c4-referee", "show", "cl"), ["class.toml"]),
        (("c4-referee", "report", "g"), ["games"]),
        (("c4-referee", "match", "--out", "g"), ["games"]),
        (("c4-referee", "match", "--variant", "s"), ["standard"]),
        (("c4-referee", "example", "ev"), ["evening"]),
        (("c4-tune", "ev"), ["evolve"]),
        (("c4-tune", "evolve", "--method", "s"), ["spsa"]),
        (("c4-tune", "evolve", "--out", "g"), ["games"]),
    ],
    ids=" ".join,
)
def test_bash_completes(bash, words, offered):
    """Bash completes players, dialects, files, commands and folders."""
    assert bash(*words) == set(offered)


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_completes_players(run_command, tmp_path):
    """Zsh completes players in a real terminal."""
    (tmp_path / "_c4-bot").write_bytes(run_command("c4-bot", "--print-completion", "zsh").stdout)
    environment = {**os.environ, "TERM": "dumb", "HOME": str(tmp_path)}
    child = pexpect.spawn("zsh", ["-f"], encoding="utf-8", env=environment, timeout=300)
    child.sendline(f"fpath=({tmp_path} $fpath); autoload -U compinit; compinit -u -D; echo O''K")
    child.expect("OK")
    child.send("c4-bot --plays need\t")
    child.expect("needed")
    child.close(force=True)
