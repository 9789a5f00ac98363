"""Folders that a server shows: their keys, and when they are read again."""

from c4_referee.serve.store import Store, contest_folders, running_contest
from kept import keep, match


def test_folders_have_harmless_keys(tmp_path):
    """Keys consist of harmless characters and differ. Links and hidden folders are left out."""
    for name in ("one/<b>", "two/<b>", "one/.hidden"):
        (tmp_path / name).mkdir(parents=True)
        keep(tmp_path / name, next(match(1)))
    (tmp_path / "one" / "link").symlink_to(tmp_path / "two" / "<b>")
    store = Store(lambda: [tmp_path / "one", tmp_path / "two" / "<b>", tmp_path / "three"])
    assert [*store.shelves()] == ["b", "b-2"]
    assert contest_folders(tmp_path / "one") == [tmp_path / "one" / "<b>"]


def test_folder_is_read_again_after_a_pause(tmp_path, monkeypatch):
    """New games are shown at once if they have to be, and otherwise after a pause."""
    one, two = match(2)
    keep(tmp_path, one)
    store = Store(lambda: [tmp_path])
    ((key, shelf),) = store.shelves().items()
    address = f"c/{key}/1/index.html"
    before = store.page(shelf, address)
    assert before == store.page(shelf, address)
    keep(tmp_path, two)
    assert store.page(shelf, address) == before
    assert len(store.results(shelf, now=True)[0].contest.games) == 2
    assert store.page(shelf, address) != before
    assert store.page(shelf, "c/other/1/index.html") is None


def test_damaged_folder_is_an_empty_one(tmp_path):
    """A folder that cannot be read has no contests, and the log says why."""
    (tmp_path / "arena.sqlite").write_text("no database", encoding="utf-8")
    store, said = Store(lambda: [tmp_path]), []
    store.log = said.append
    assert "No games yet" in store.overview()
    assert len(said) == 1
    assert running_contest(tmp_path) is None
    (tmp_path / "live.jsonl").write_text("{}", encoding="utf-8")
    assert running_contest(tmp_path) is None
