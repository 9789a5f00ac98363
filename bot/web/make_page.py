"""Make the page: ``python bot/web/make_page.py`` writes ``bot/c4_bot/web/page/``.

It compiles the native core to WebAssembly, makes the opening book of the page, and joins the
modules of this folder into scripts, because browsers do not load modules from files. It needs a
checkout of the repository, the package ``ziglang`` (``pip install -e '.[web]'``), and the packages
of ``tests/browser/package.json``. The first run takes a minute, because Zig compiles its libraries.

``page/built_from.txt`` holds the digests of all files from which the page was made. A test compares
them with the files.
"""

import base64
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import orjson
from c4_bot.book.book_file import Book, write_book
from c4_bot.evaluate._weights import read
from c4_bot.native import parameters_of
from c4_bot.player.registry import build_player
from c4_protocol.program.errors import ArenaError
from c4_protocol.program.exit_codes import exit_code
from c4_protocol.rules.variant import STANDARD

SOURCE = Path(__file__).parent
sys.path.insert(0, str(SOURCE.parents[1] / "protocol/web"))

from bundle import DIGESTS, ROOT, bundled, run  # noqa: E402 - found only now
from bundle import digests as digests_of  # noqa: E402
from bundle import sources as modules  # noqa: E402

BOT = ROOT / "bot/c4_bot"
PAGE = BOT / "web/page"
CORE_SOURCE = ROOT / "bot/native/wasm/page.cpp"
BOOK = BOT / "book/7x6.book"
WEIGHTS = BOT / "evaluate/weights"
SENTENCES = {"en": BOT / "reasons/sentences.json", "de": SOURCE / "texts/sentences.de.json"}
"""Templates of reasons, by language."""
PLAYERS = BOT / "player/players.json"
PUZZLES = BOT / "puzzles/puzzles.json"
BOOK_PLIES = 9
"""Maximum number of stones in the book of the page. With 10 stones the book would have 1 MB."""
NETWORK = "7x6x4"
"""The network that the engine always loads. The others have files of their own."""
LEVELS = range(1, 10)
TARGET = ("-target", "wasm32-wasi", "-O3")
EXCEPTIONS = (
    *("-fwasm-exceptions", "-mexception-handling"),
    *("-mllvm", "-wasm-enable-eh", "-mllvm", "-wasm-use-legacy-eh=true"),
)
"""Options for exceptions in the form that browsers have known since 2021."""
EXCEPTION_SOURCES = (
    "libcxxabi/src/cxa_exception.cpp",
    "libcxxabi/src/cxa_personality.cpp",
    "libunwind/src/Unwind-wasm.c",
)
"""Files of Zig's libraries that exceptions need, and that Zig leaves out for this target."""
EXCEPTION_TAG = """\
.globl __cpp_exception
.tagtype __cpp_exception i32
__cpp_exception:
"""


def main() -> int:
    """Write the page; return the exit code. Raises ``ArenaError`` if something is missing."""
    with tempfile.TemporaryDirectory() as name:
        files = made_files(Path(name))
    shutil.rmtree(PAGE, ignore_errors=True)
    PAGE.mkdir()
    for file, content in files.items():
        (PAGE / file).write_bytes(content)
        sys.stderr.write(f"{file}: {len(content):,} bytes\n")
    return 0


def made_files(work: Path) -> dict[str, bytes]:
    """Return the content of each file of the page. ``work`` is a folder for temporary files."""
    engine = engine_data(compiled_core(work), bundled(SOURCE / "engine/worker.js"))
    return {
        "index.html": (SOURCE / "index.html").read_bytes(),
        "page.css": bundled(SOURCE / "page.css"),
        "puzzles.js": b"globalThis.C4_PUZZLES = " + orjson.dumps(puzzles()) + b";\n",
        "board.js": bundled(SOURCE / "main.js"),
        "replays.js": bundled(SOURCE / "replays.js"),
        "engine.js": b"globalThis.C4_ENGINE = " + orjson.dumps(engine) + b";\n",
        **{
            f"network-{variant}.js": b"(globalThis.C4_NETWORKS ??= {})[%s] = %s;\n"
            % (orjson.dumps(variant), orjson.dumps(packed_network(variant)))
            for variant in other_networks()
        },
        DIGESTS: digests().encode(),
    }


def digests() -> str:
    """Return the SHA-256 of each file from which the page is made, one on each line."""
    return digests_of(sources())


def sources() -> Iterator[Path]:
    """Yield the files from which the page is made."""
    yield from modules(SOURCE)
    yield from WEIGHTS.glob("*.network")
    yield from (BOOK, PLAYERS, PUZZLES, *SENTENCES.values())
    found, waiting = {CORE_SOURCE}, [CORE_SOURCE]
    while waiting:
        path = waiting.pop()
        names = re.findall(r'^#include "(.+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
        new = {(path.parent / name).resolve() for name in names} - found
        found |= new
        waiting += new
    yield from found


def compiled_core(work: Path) -> bytes:
    """Return the native core as a WebAssembly module."""
    library = _zig_library()
    folders = ("libcxxabi/include", "libcxxabi/src", "libcxx/src", "libunwind/include")
    as_library = (
        *("-DNDEBUG", "-D_LIBCPP_BUILDING_LIBRARY", "-D_LIBCXXABI_BUILDING_LIBRARY"),
        *("-D_LIBCXXABI_HAS_NO_THREADS", "-D_LIBUNWIND_HIDE_SYMBOLS"),
        *(f"-I{library / folder}" for folder in folders),
    )
    (work / "tag.s").write_text(EXCEPTION_TAG, encoding="ascii")
    objects = [work / "tag.o"]
    _zig("cc", *TARGET, "-mexception-handling", "-c", work / "tag.s", "-o", objects[0])
    for source in EXCEPTION_SOURCES:
        objects.append(work / Path(source).with_suffix(".o").name)
        language = ("cc",) if source.endswith(".c") else ("c++", "-std=c++23")
        options: tuple[str, ...] = (*language, *TARGET, *EXCEPTIONS, *as_library)
        _zig(*options, "-c", library / source, "-o", objects[-1])
    _zig(
        *("c++", "-std=c++20", *TARGET, *EXCEPTIONS, "-fno-rtti", "-fno-c++-static-destructors"),
        *("-mexec-model=reactor", "-Wl,--export-dynamic", "-Wl,-z,stack-size=1048576", "-s"),
        CORE_SOURCE,
        *objects,
        "-o",
        work / "core.wasm",
    )
    return (work / "core.wasm").read_bytes()


def _zig_library() -> Path:
    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise ArenaError("ziglang is missing: pip install -e '.[web]'")
    return Path(spec.origin).parent / "lib"


def _zig(*arguments: str | Path) -> None:
    run(sys.executable, "-m", "ziglang", *arguments)


def engine_data(core: bytes, worker: bytes) -> dict[str, object]:
    """Return the object ``EngineData`` of ``engine/client.js``."""
    return {
        "worker": worker.decode(),
        "wasm": _packed(core),
        "book": _packed(small_book()),
        "network": packed_network(NETWORK),
        "networks": other_networks(),
        "evaluation": parameters_of(build_player("level-1").evaluator),
        "levels": [_level(number) for number in LEVELS],
        "templates": {
            language: orjson.loads(path.read_bytes()) for language, path in SENTENCES.items()
        },
    }


def _level(number: int) -> dict[str, object]:
    """Return the depth and the parameters of a level. The seed is missing."""
    player = build_player(f"level-{number}")
    return {"depth": player.depth or -1, "parameters": parameters_of(player.search)}


def puzzles() -> list[tuple[str, ...]]:
    """Return what ``learn/puzzles.js`` needs of each puzzle."""
    keys = ("moves", "line", "result", "grade")
    return [tuple(each[key] for key in keys) for each in orjson.loads(PUZZLES.read_bytes())]


def small_book() -> bytes:
    """Return a book with the entries of the book of ``c4-bot`` that have few stones."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book"
        entries = ((key, score) for key, score in Book(BOOK) if _is_early(key))
        write_book(path, STANDARD, BOOK_PLIES, entries)
        return path.read_bytes()


def _is_early(key: int) -> bool:
    """Return whether a position with this key has at most ``BOOK_PLIES`` stones."""
    stride = STANDARD.height + 1
    columns = (key >> stride * column & ((1 << stride) - 1) for column in range(STANDARD.width))
    return sum(column.bit_length() - 1 for column in columns) <= BOOK_PLIES


def other_networks() -> list[str]:
    """Return the variants whose networks have files of their own."""
    return sorted(path.stem for path in WEIGHTS.glob("*.network") if path.stem != NETWORK)


def packed_network(variant: str) -> dict[str, object]:
    """Return an object ``PackedNetwork`` of ``engine/client.js``."""
    weights = read(WEIGHTS / f"{variant}.network")
    return {
        "variant": variant,
        "shapes": [shape._asdict() for shape in weights.patterns.shapes],
        "weights": _packed(weights.values),
    }


def _packed(content: bytes) -> str:
    """Return a file as ``engine/worker.js`` reads it: compressed by zlib, in base64."""
    return base64.b64encode(zlib.compress(content, 9)).decode()


if __name__ == "__main__":
    sys.exit(exit_code("make_page", main))
