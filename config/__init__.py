"""Settings profiles (one file each, settings only), and gunicorn's and logging's."""
