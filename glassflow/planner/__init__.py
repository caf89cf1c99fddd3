"""The planner: the program that searches cutting plans, in a process of its own."""
