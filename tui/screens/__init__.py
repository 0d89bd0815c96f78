"""The screens of the workbench, a file a screen."""
