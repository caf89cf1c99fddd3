"""Settings profiles (one file each, settings only) and the gunicorn launcher."""
