"""A floor under strain: does everybody end with exactly the events of their rooms?"""
