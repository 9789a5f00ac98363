"""Every module has a test file: at the same place in ``tests``, or a file named in ``COVERED``."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
PARTS = ("bot", "protocol", "referee")

COVERED = {
    "dialects/test_theaigames.py": "protocol/dialects/_settings",
    "dialects/test_transcripts.py": "protocol/dialects/_commands protocol/dialects/_numbers",
    "dialects/test_uci.py": "protocol/rules/fen",
    "bot/book/test_book.py": "bot/book/book_file bot/book/make bot/book/positions",
    "bot/web/test_web.py": "bot/commands/web",
    "bot/test_claims.py": "bot/reasons/info",
    "bot/reasons/test_explainer.py": "bot/coach bot/reasons/sentences",
    "bot/reasons/test_explanation.py": "bot/reasons/forced bot/reasons/kinds bot/reasons/parity",
    "bot/search/test_perfect_limits.py": "bot/search/_root_moves",
    "bot/search/test_deepening.py": "bot/search/_iterations",
    "bot/search/test_ordered.py": "bot/search/_roots bot/search/_table",
    "bot/puzzles/test_puzzles.py": "bot/puzzles/scores",
    "bot/evaluate/test_blocker.py": "bot/search/_threats",
    "bot/solve/test_solver.py": "bot/solve/reference bot/solve/score",
    "bot/solve/line/test_solver.py": "bot/solve/line/proof bot/solve/line/verdict",
    "bot/test_twins.py": "bot/native bot/reasons/twin bot/search/minimax bot/search/negamax"
    " bot/search/random",
    "bot/evaluate/test_network.py": "bot/evaluate/_patterns bot/evaluate/_weights",
    "contract/test_evaluators.py": "bot/evaluate/_open_windows bot/evaluate/needed"
    " bot/evaluate/sequences bot/evaluate/windows",
    "contract/test_players.py": "bot/contract",
    "e2e/test_analyse.py": "referee/commands/analyse referee/judging/explaining",
    "e2e/test_bot.py": "bot/cli bot/commands/bot",
    "e2e/test_check.py": "referee/check/many referee/check/summary referee/commands/check",
    "e2e/test_class.py": "referee/classroom/publish referee/classroom/replay"
    " referee/classroom/steps referee/commands/class_",
    "e2e/test_cluster.py": "referee/cluster/link",
    "e2e/test_doctor.py": "referee/classroom/machine referee/commands/doctor",
    "e2e/test_example.py": "referee/bots/examples referee/commands/example",
    "e2e/test_export.py": "bot/commands/export",
    "e2e/test_match.py": "referee/cli referee/commands/match referee/contest/contest_conditions"
    " referee/commands/_contests referee/contest/contest_reports",
    "e2e/test_command_lines.py": "protocol/program/parser",
    "e2e/test_other_systems.py": "referee/system",
    "e2e/test_play.py": "protocol/terminal/contract"
    " protocol/terminal/lines protocol/terminal/screen",
    "e2e/test_play_bots.py": "referee/commands/play",
    "e2e/test_play_match.py": "referee/api",
    "referee/bots/test_functions.py": "referee/bots/relay",
    "referee/play/test_person.py": "referee/talk/person",
    "e2e/test_rate.py": "referee/commands/rate",
    "e2e/test_grade.py": "referee/commands/grade referee/grading/terminal",
    "referee/grading/test_writers.py": "referee/grading/points",
    "e2e/test_report.py": "referee/commands/report",
    "e2e/test_accuracy.py": "referee/contest/exact_values",
    "e2e/test_kept.py": "referee/commands/_ask referee/commands/list",
    "e2e/test_serve.py": "referee/commands/serve referee/serve/server",
    "e2e/test_show.py": "referee/commands/show referee/commands/_stored",
    "e2e/test_solve.py": "bot/commands/solve bot/solve/answers bot/solve/cli bot/solve/json_lines"
    " bot/solve/replies",
    "e2e/test_solve_cells.py": "bot/solve/line/answers",
    "e2e/test_tournament.py": "referee/commands/tournament referee/report/tournament",
    "e2e/test_watch.py": "referee/commands/watch referee/report/watching",
    "referee/live/test_follow.py": "referee/live/file",
    "referee/live/test_state.py": "referee/live/moments",
    "e2e/test_tune.py": "referee/tuning/cli referee/tuning/commands/_arguments"
    " referee/tuning/commands/evolve referee/tuning/commands/experiment"
    " referee/tuning/commands/judge referee/tuning/commands/train referee/tuning/terminal",
    "platforms/test_gymnasium.py": "bot/adapters/gymnasium",
    "platforms/test_openspiel.py": "bot/adapters/openspiel",
    "platforms/test_pettingzoo.py": "bot/adapters/pettingzoo",
    "protocol/program/test_streams.py": "protocol/program/exit_codes",
    "protocol/records/test_events.py": "protocol/records/reports",
    "protocol/records/test_schema.py": "protocol/records/solutions",
    "referee/bots/test_placeholders.py": "referee/bots/find referee/bots/spec",
    "referee/contain/test_sandbox.py": "referee/contain/system_calls",
    "referee/contain/test_faults.py": "referee/talk/conversation referee/play/game",
    "referee/classroom/pages/test_feedback.py": "referee/classroom/pages/markdown",
    "referee/classroom/test_accounts.py": "referee/classroom/check referee/classroom/runs"
    " referee/classroom/summary",
    "referee/classroom/test_bots_file.py": "referee/classroom/tables",
    "referee/classroom/test_returned.py": "referee/classroom/entries referee/classroom/grades",
    "referee/classroom/test_take_in.py": "referee/classroom/students",
    "referee/submissions/test_starts.py": "referee/submissions/start",
    "referee/check/test_check.py": "referee/check/boards referee/check/broken"
    " referee/check/checker referee/check/driver referee/check/start referee/check/terminal"
    " referee/check/rules/_rule referee/check/rules/advice referee/check/rules/answering"
    " referee/check/rules/arguments referee/check/rules/manners referee/check/rules/positions"
    " referee/check/rules/reading",
    "referee/check/test_check_games.py": "referee/check/forms referee/check/model_bot"
    " referee/check/rules/games",
    "referee/check/test_check_causes.py": "referee/check/buffering referee/check/evidence"
    " referee/check/misreading",
    "referee/formats/test_formats.py": "referee/formats/delimited referee/formats/jsonl"
    " referee/storage/game_files",
    "referee/judging/test_solving.py": "referee/judging/solver_process referee/judging/values",
    "referee/play/test_tournament.py": "referee/contest/contest",
    "referee/play/test_worker.py": "referee/play/jobs",
    "referee/report/test_progress.py": "referee/report/bar referee/report/earlier"
    " referee/report/live",
    "referee/report/test_reports.py": "referee/report/faults referee/report/summary",
    "referee/report/test_standings.py": "referee/report/rich_tables",
    "referee/schedule/test_schedule.py": "referee/schedule/double_round_robin"
    " referee/schedule/gauntlet referee/schedule/match referee/schedule/round_robin",
    "referee/schedule/test_swiss.py": "referee/schedule/_matching",
    "referee/serve/test_app.py": "referee/serve/watch",
    "referee/serve/test_guard.py": "referee/serve/log",
    "referee/site/test_pages.py": "referee/site/bot_page referee/site/conditions"
    " referee/site/results referee/site/standings_page",
    "referee/site/test_plots.py": "referee/site/drawing",
    "referee/storage/test_archive.py": "referee/commands/_arguments referee/storage/folder_archive",
    "referee/storage/test_contests.py": "referee/storage/result_lines referee/storage/exact_values",
    "referee/storage/test_store.py": "referee/storage/database referee/storage/database_schema",
    "referee/submissions/platforms/test_platforms.py": "referee/submissions/platforms/canvas"
    " referee/submissions/platforms/gradescope referee/submissions/platforms/listing"
    " referee/submissions/platforms/moodle referee/submissions/platforms/plain"
    " referee/submissions/platforms/repositories",
    "referee/submissions/test_unpacking.py": "referee/submissions/handed referee/submissions/tree",
    "referee/testing/test_testing.py": "referee/testing/players referee/testing/plugin"
    " referee/testing/scripted",
    "referee/tuning/test_report_page.py": "referee/tuning/charts",
    "referee/tuning/test_optimizers.py": "referee/tuning/arena referee/tuning/evolution",
}
"""Test files that also test other modules, because a behaviour involves several modules."""

WITHOUT_BEHAVIOUR = {"protocol/program/processors", "referee/stats/array"}
"""Modules without a test, because they only rename or convert things."""


def modules() -> dict[str, Path]:
    """Return all modules by part and path, without packages that define no function or class."""
    found = {}
    for part in PARTS:
        package = ROOT / part / f"c4_{part}"
        for path in sorted(package.rglob("*.py")):
            name = f"{part}/{path.relative_to(package).with_suffix('')}"
            text = path.read_text(encoding="utf-8")
            is_empty = path.name == "__init__.py" and not {"def", "class"} & set(text.split())
            if path.name != "__main__.py" and not is_empty:
                found[name] = path
    return found


def own_test(module: str) -> Path:
    """Return the path of a module's own test file, which may not exist."""
    folder, _, name = module.replace("protocol/dialects/", "dialects/").rpartition("/")
    name = folder.rpartition("/")[2] if name == "__init__" else name.lstrip("_")
    return TESTS / folder / f"test_{name}.py"


NAMED = [module for names in COVERED.values() for module in names.split()]


def test_every_module_has_a_test_file():
    """Every module has a test file of its own, or one in ``COVERED``, but not both."""
    for module in modules():
        places = own_test(module).is_file() + NAMED.count(module) + (module in WITHOUT_BEHAVIOUR)
        assert places == 1, module


def test_files_that_are_named_exist():
    """The tables name only modules and test files that exist."""
    assert not {*NAMED, *WITHOUT_BEHAVIOUR} - modules().keys()
    assert all((TESTS / file).is_file() for file in COVERED)
