"""The application: neighbours, searches and scores; no HTTP and no terminal in here."""
