"""Who asks: the application, the commands, the HTTP service and its pages."""
