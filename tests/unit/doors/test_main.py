"""A Ctrl-C that Python 3.11 wraps, because it came while a class was made, is a Ctrl-C all the same."""

import pytest

from kaozheng import cli


class Pressed:
    """Its name is set at the moment of the key."""

    def __set_name__(self, owner, name):
        raise KeyboardInterrupt


def made_while_pressed():
    return type("Made", (), {"field": Pressed()})


def failing():
    raise RuntimeError("a fault of ours")


def test_it_is_told_in_one_line(monkeypatch, capsys):
    monkeypatch.setattr(cli, "_command", made_while_pressed)
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == cli.INTERRUPTED
    assert capsys.readouterr().err == "kaozheng: stopped before anything was done\n"


def test_a_fault_of_ours_is_not_hidden(monkeypatch):
    monkeypatch.setattr(cli, "_command", failing)
    with pytest.raises(RuntimeError, match="a fault of ours"):
        cli.main()
