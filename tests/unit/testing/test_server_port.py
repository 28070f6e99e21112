"""The scripted server as a command: a port that is taken is one line."""

import socket

import pytest

from kaozheng.testing.server import main


def test_taken_port_is_one_line(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit) as ended:
            main(["--port", str(port)])
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert f"port {port} cannot be listened on" in said
    assert len(said.splitlines()) == 1
