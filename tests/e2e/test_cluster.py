"""``c4-referee match --executor dask://HOST:PORT``: games on a Dask cluster of this machine."""

import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest
from bots import LIGHT
from commands import SCRIPTS
from effort import sampled
from stored import stored_games

pytest.importorskip("distributed", reason="distributed is not installed")

MANUAL = Path(__file__).parents[2] / "docs" / "cluster.md"
CENTRE = Path(__file__).parents[2] / "examples" / "centre.sh"


CLAIM = """import importlib.metadata as metadata
true = metadata.version
metadata.version = lambda name: "{}" if name == "c4-arena" else true(name)
"""
"""Program that makes the process of a worker claim another version of this package."""


class Cluster:
    """A Dask scheduler on a free port, and its workers with one thread each, without nannies.

    The environment ``settings`` may have settings of Dask.
    """

    def __init__(
        self, folder: Path, stack: ExitStack, settings: Mapping[str, str] | None = None
    ) -> None:
        self._folder = folder
        self._stack = stack
        self._settings = {**os.environ, **(settings or {})}
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", self._file
        )
        # The scheduler creates the file before it writes to it.
        while not (self._file.exists() and self._file.read_bytes().strip().endswith(b"}")):
            assert self.scheduler.poll() is None
            time.sleep(0.01)
        address = json.loads(self._file.read_text(encoding="utf-8"))["address"]
        self.executor = address.replace("tcp://", "dask://").replace("tls://", "dask+tls://")

    @property
    def _file(self) -> Path:
        return self._folder / "scheduler.json"

    def add_worker(self, version: str = "") -> None:
        """Start another worker, which may claim a version. It may take some seconds to join."""
        options = ("--nthreads", "1", "--no-nanny", "--local-directory", self._folder)
        claim = CLAIM.format(version) if version else ""
        worker = self._start("worker", "--scheduler-file", self._file, *options, claim=claim)
        self.workers.append(worker)

    def kill_worker(self) -> None:
        """Kill a worker."""
        self.workers.pop(0).kill()

    def _start(self, *arguments: str | Path, claim: str = "") -> subprocess.Popen[bytes]:
        log = self._stack.enter_context((self._folder / "log.txt").open("ab"))
        program = f"{claim}from dask.__main__ import main\nmain()"
        command = [sys.executable, "-c", program, *arguments, "--no-dashboard"]
        process = subprocess.Popen(command, stdout=log, stderr=log, env=self._settings)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Yield a scheduler with two workers."""
    with ExitStack() as stack:
        cluster = Cluster(tmp_path_factory.mktemp("cluster"), stack)
        cluster.add_worker()
        cluster.add_worker()
        yield cluster


@pytest.fixture
def lonely(tmp_path: Path) -> Iterator[Cluster]:
    """Yield a scheduler without workers."""
    with ExitStack() as stack:
        yield Cluster(tmp_path, stack)


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Cluster]:
    """Yield a scheduler with two workers, whose tasks fail when a worker is killed."""
    with ExitStack() as stack:
        cluster = Cluster(tmp_path, stack, {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"})
        cluster.add_worker()
        cluster.add_worker()
        yield cluster


@pytest.fixture
def bots(tmp_path: Path) -> list[str]:
    """Return two bots of this test that start slowly, so that games take a while."""
    program = tmp_path / "bot.sh"
    program.write_text("sleep 0.2\n" + CENTRE.read_text(encoding="utf-8"), encoding="utf-8")
    return [f"sh {program}", f"sh {program}"]


@pytest.fixture
def none_left(tmp_path: Path, wait_until: Callable[..., bool]) -> Callable[[], bool]:
    """Return a function that returns whether all processes of this test's bots have ended."""

    def found() -> list[str]:
        commands = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                commands.append((process / "cmdline").read_bytes().decode(errors="replace"))
        return [command for command in commands if f"{tmp_path}/bot" in command]

    return lambda: wait_until(lambda: not found())


def command(bots: list[str], executor: str, games: int, *more: str | Path) -> list[str | Path]:
    """Return the command line of a match of small games on a cluster."""
    return [SCRIPTS / "c4-referee", "match", *bots, "--variant", "5x4", "--games", str(games),
            "--executor", executor, "--json", *more]  # fmt: skip


@contextmanager
def started(match: list[str | Path]) -> Iterator[subprocess.Popen[bytes]]:
    """Start a referee that plays a match, and kill it at the end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(match, stdout=pipe, stderr=pipe) as referee:
        try:
            yield referee
        finally:
            referee.kill()


def wait_while(referee: subprocess.Popen[bytes], is_too_early: Callable[[], bool]) -> None:
    """Wait while a condition is true and a referee runs."""
    while is_too_early():
        assert referee.poll() is None
        time.sleep(0.01)


def play(*arguments: object, settings: Mapping[str, str] | None = None) -> dict[str, object]:
    """Play a whole match, and return its report."""
    environment = {**os.environ, **(settings or {})}
    done = subprocess.run(command(*arguments), capture_output=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def numbers(out: Path) -> list[int]:
    """Return the sorted game numbers in ``games.jsonl``."""
    with suppress(FileNotFoundError):
        return sorted(game["game"] for game in stored_games(out))
    return []


def in_base(out: Path) -> list[int]:
    """Return the number of games and the number of results in the database."""
    with (
        suppress(sqlite3.OperationalError),  # the database may not be complete yet
        closing(sqlite3.connect(f"file:{out}/arena.sqlite?mode=ro", uri=True)) as base,
    ):
        return [
            base.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("games", "results")
        ]
    return [0, 0]


def refused(executor: str, *settings: str, environment: Mapping[str, str] | None = None) -> str:
    """Return the line on standard error of a match that must be refused with exit code 2."""
    main = f"main(['match', BOT, 'sh x', '--executor', '{executor}'])"
    program = [
        "BOT = 'sh x'",
        *settings,
        "from c4_referee.cli import main",
        f"raise SystemExit({main})",
    ]
    line = [sys.executable, "-c", "\n".join(program)]
    environment = {**os.environ, **(environment or {})}
    done = subprocess.run(line, capture_output=True, check=False, env=environment)
    assert (done.returncode, done.stdout) == (2, b""), done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
    return done.stderr.decode()


def test_worker_that_is_killed_costs_no_game(cluster, bots, tmp_path, none_left):
    """A worker that is killed during a game loses no game, and no process of it remains.

    Another worker joins. Each game is stored once.
    """
    out = tmp_path / "out"
    match = command(bots, cluster.executor, 16, "--out", out)
    with started(match) as referee:
        wait_while(referee, lambda: in_base(out)[1] < 5)
        cluster.kill_worker()
        cluster.add_worker()
        report = json.loads(referee.communicate()[0])
    assert (referee.returncode, report["games"], report["complete"]) == (0, 16, True)
    assert numbers(out) == list(range(1, 17))
    assert in_base(out) == [16, 16]
    assert none_left()


@pytest.mark.weekly
def test_worker_of_another_version_is_left_out(lonely, bots, tmp_path):
    """A worker of another version that joins gets no games, and a line says so.

    The match waits if it is the only worker. A worker of the same version that joins plays.
    """
    out = tmp_path / "out"
    with started(command(bots, lonely.executor, 1000, "--out", out)) as referee:
        wait_while(referee, lambda: in_base(out)[0] < 1)  # a game that waits for a worker
        lonely.add_worker("9.9")
        lines = [referee.stderr.readline()]
        lonely.add_worker()
        wait_while(referee, lambda: in_base(out)[1] < 3)
        lonely.add_worker("9.8")
        lines.append(referee.stderr.readline())
        later = in_base(out)[1] + 5
        wait_while(referee, lambda: in_base(out)[1] < later)
        referee.send_signal(signal.SIGINT)
        lines.append(referee.communicate()[1])
    for version, line in zip(("9.9", "9.8"), lines, strict=False):
        assert re.match(rf"tcp://\S+ gets no games: c4-arena is {version}, ", line.decode())
    assert lines[2] == b""
    assert {1, 2, 3} < {*numbers(out)}


@pytest.mark.weekly
@pytest.mark.parametrize("repeats", [True, False])
def test_worker_that_is_killed_during_a_batch_costs_no_game(request, tmp_path, repeats):
    """A worker that is killed while each task has many games loses no game, and repeats none.

    This holds if Dask gives the task to another worker, and if the task fails.
    """
    cluster = request.getfixturevalue("cluster" if repeats else "impatient")
    out, sizes = tmp_path / "out", tmp_path / "sizes.txt"
    bots = tmp_path / "bots.toml"
    table = f'command = "{LIGHT}"\nrestart = "never"\n'
    bots.write_text(f"[bots.one]\n{table}[bots.other]\n{table}", encoding="utf-8")
    arguments = command(["one", "other"], cluster.executor, 1000, "--bots", bots, "--out", out)
    program = f"""
from pathlib import Path
from c4_referee.cli import main
from c4_referee.contest.cluster.link import ClusterLink

def noted(link, jobs, submit=ClusterLink.submit):
    with Path({str(sizes)!r}).open("a") as file:
        print(len(jobs), file=file)
    return submit(link, jobs)

ClusterLink.submit = noted
raise SystemExit(main({[*map(str, arguments[1:])]!r}))
"""
    with started([sys.executable, "-c", program]) as referee:
        sizes.touch()
        wait_while(referee, lambda: min(map(int, sizes.read_text().split()[-4:]), default=0) < 5)
        cluster.kill_worker()
        cluster.add_worker()
        told, said = referee.communicate()
    report = json.loads(told)
    assert (referee.returncode, report["games"], report["complete"]) == (0, 1000, True)
    assert said == b""  # otherwise a game counts as lost
    assert numbers(out) == list(range(1, 1001))
    assert in_base(out) == [1000, 1000]


@pytest.mark.parametrize("number", sampled([signal.SIGINT, signal.SIGKILL], [signal.SIGKILL]))
def test_stopped_referee_leaves_no_bot(cluster, bots, tmp_path, none_left, number):
    """A referee that is interrupted or killed leaves no bot on the workers, and can be resumed."""
    out = tmp_path / "out"
    match = command(bots, cluster.executor, 12, "--out", out)
    with started(match) as referee:
        wait_while(referee, lambda: not in_base(out)[1])
        referee.send_signal(number)
        referee.communicate()
    assert referee.returncode != 0
    assert none_left()
    assert 0 < in_base(out)[1] < 12
    assert play(bots, cluster.executor, 12, "--out", out)["games"] == 12
    assert numbers(out) == list(range(1, 13))


def test_folder_travels(cluster, tmp_path):
    """A bot is played from a copy of its folder.

    After a move of the folder it is the same bot. After an edit it is another bot.
    """
    folder, out = tmp_path / "bot", tmp_path / "out"
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "centre.sh").write_bytes(CENTRE.read_bytes())
    (folder / "start").write_text("#!/bin/sh\npwd >&2\nexec sh rules/centre.sh\n", encoding="utf-8")
    (folder / "start").chmod(0o755)

    def run(folder: Path, games: int) -> list[str]:
        """Return the working folders of the bots in all games played until now."""
        table = f'folder = "{folder}"\ncommand = "./start"\n'
        bots = tmp_path / "bots.toml"
        bots.write_text(f"[bots.one]\n{table}[bots.other]\n{table}", encoding="utf-8")
        play(["one", "other"], cluster.executor, games, "--bots", bots, "--out", out)
        return [said for game in stored_games(out) for said in game["stderr"].values()]

    assert len(run(folder, 2)) == 4
    moved = folder.rename(tmp_path / "elsewhere")
    places = run(moved, 3)
    assert len(places) == 6
    assert not any(str(folder) in place or str(moved) in place for place in places)
    assert not any(Path(place.strip()).exists() for place in places)
    (moved / "rules" / "new.txt").touch()
    assert len(run(moved, 2)) == 10


@pytest.mark.weekly
def test_bot_that_rewrites_itself_on_a_cluster_is_named(cluster, tmp_path):
    """The copy of a folder on a worker is watched, too."""
    (tmp_path / "bot.sh").write_text(f"echo '#' >> $0\nexec sh {CENTRE}\n", encoding="utf-8")
    bots = tmp_path / "bots.toml"
    table = f'folder = "{tmp_path}"\ncommand = "sh bot.sh"\nsandbox = false\n'
    bots.write_text(f"[bots.one]\n{table}", encoding="utf-8")
    report = play(["one", f"sh {CENTRE}"], cluster.executor, 6, "--bots", bots)
    assert report["incidents"]["changed_files"] == {"one": "bot.sh"}


@pytest.mark.weekly
def test_unusable_cluster_is_told(cluster):
    """A missing scheduler, another version and a missing program each cause one line."""
    soon = "import c4_referee.contest.cluster.link as link; link.CONNECT_SECONDS = 0.5"
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in refused("dask://127.0.0.1:1", soon)
    other = "import c4_referee.contest.cluster.link as link; link.PACKAGE_VERSION = '9.9'"
    assert "the referee's 9.9: install the same" in refused(cluster.executor, other)
    late = f"{other}; link._check_versions = lambda client: None"
    assert "the referee's 9.9: install the same" in refused(cluster.executor, late)
    assert "there is no program 'nowhere'" in refused(cluster.executor, "BOT = 'nowhere'")


class Keys:
    """Folder with a key, a certificate and settings of Dask, made as the manual says."""

    def __init__(self, folder: Path) -> None:
        manual = MANUAL.read_text(encoding="utf-8")
        program = re.search(r"^openssl (?:.*\\\n)*.*$", manual, re.MULTILINE)
        settings = re.search(r"```yaml\n(distributed:.*?)```", manual, re.DOTALL)
        assert program
        assert settings
        if shutil.which("openssl") is None:
            pytest.skip("openssl is not installed")
        made = shlex.split(program[0].replace("\\\n", " "))
        subprocess.run(made, cwd=folder, check=True, capture_output=True)
        file = folder / "tls.yaml"
        file.write_text(settings[1].replace("/home/me/tls", str(folder)), encoding="utf-8")
        self.file = {"DASK_CONFIG": str(file)}
        """Environment with the file of settings, for all processes of a cluster."""
        tls = "DASK_DISTRIBUTED__COMM__TLS__"
        self.client = {
            f"{tls}CLIENT__CERT": str(folder / "cert.pem"),
            f"{tls}CLIENT__KEY": str(folder / "key.pem"),
        }
        self.variables = {f"{tls}CA_FILE": str(folder / "cert.pem"), **self.client}
        """Environment with settings for the referee."""


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    """Return the keys of a cluster."""
    return Keys(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory, keys: Keys) -> Iterator[Cluster]:
    """Yield a cluster that uses TLS, with one worker."""
    with ExitStack() as stack:
        cluster = Cluster(tmp_path_factory.mktemp("encrypted"), stack, keys.file)
        cluster.add_worker()
        yield cluster


@pytest.mark.weekly
def test_cluster_with_tls(encrypted, bots, keys):
    """Games are played on a cluster with TLS, with settings from a file or from variables only."""
    assert encrypted.executor.startswith("dask+tls://")
    for settings in (keys.file, keys.variables):
        assert play(bots, encrypted.executor, 2, settings=settings)["games"] == 2
    assert "no certificate for tls://127.0.0.1" in refused(encrypted.executor)


@pytest.mark.weekly
def test_wrong_tls_is_told(encrypted, cluster, keys, tmp_path):
    """Wrong certificates and settings cause one line, and so does a scheduler without TLS."""
    tls, plain = encrypted.executor, encrypted.executor.replace("+tls", "")
    other_keys = Keys(tmp_path)
    assert "not signed by tls.ca-file" in refused(tls, environment=other_keys.variables)
    foreign = {**keys.variables, **other_keys.client}
    assert "it refuses tls.client.cert" in refused(tls, environment=foreign)
    nowhere = {**keys.variables, "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY": "nowhere.pem"}
    assert "No such file or directory: 'nowhere.pem'" in refused(tls, environment=nowhere)
    assert "it closes the connection: if it uses TLS, use dask+tls:" in refused(plain)
    assert "require encryption, and tcp:" in refused(plain, environment=keys.file)
    without = cluster.executor.replace("dask", "dask+tls")
    assert "it does not use TLS" in refused(without, environment=keys.file)
    broken = tmp_path / "broken.yaml"
    broken.write_text("{a: [", encoding="utf-8")
    assert "Dask's settings: A dask config" in refused(
        tls, environment={"DASK_CONFIG": str(broken)}
    )


@pytest.mark.weekly
def test_scheduler_that_goes_is_told(lonely, bots, tmp_path):
    """A match that waits for workers ends with one line if their scheduler ends."""
    out = tmp_path / "out"
    match = command(bots, lonely.executor, 4, "--out", out)
    with started(match) as referee:
        wait_while(referee, lambda: in_base(out) == [0, 0])
        lonely.scheduler.kill()
        _, said = referee.communicate()
    assert referee.returncode == 1
    assert said.count(b"\n") == 1
    assert b"is gone" in said


@pytest.mark.weekly
def test_tournament_is_the_same_as_on_this_machine(cluster: Cluster, tmp_path: Path) -> None:
    """A tournament on a cluster has the same games and standings as on this machine.

    Its later rounds depend on the results of earlier rounds.
    """
    tables = "".join(
        f'[bots.{name}]\ncommand = "sh {CENTRE}"\nenv = {{ NAME = "{name}" }}\n' for name in "abcde"
    )
    path = tmp_path / "class.toml"
    path.write_text(
        f'system = "swiss"\nvariant = "5x4"\nopenings = "random:3"\naccuracy = false\n{tables}'
    )
    told = []
    for executor in ("local", cluster.executor):
        out = tmp_path / executor[:4]
        arguments = ["tournament", path, "--json", "--out", out, "--executor", executor]
        done = subprocess.run([SCRIPTS / "c4-referee", *arguments], capture_output=True, check=True)
        games = stored_games(out)
        courses = sorted((game["game"], game["first"], game["moves"]) for game in games)
        told.append((json.loads(done.stdout)["standings"], courses))
    assert told[0] == told[1]
    assert len(told[0][1]) == 12
