"""The main window and what surrounds it; the only package that knows MainWindow."""
