"""`python -m battlesim`."""

import sys

from battlesim.cli.main import main

sys.exit(main())
