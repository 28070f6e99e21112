"""`python -m kaozheng`: the command line, where its script is not on the path."""

from kaozheng.cli import main

if __name__ == "__main__":
    main()
