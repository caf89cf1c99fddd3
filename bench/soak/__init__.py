"""A soak: does every client receive exactly its events, through faults of all kinds?"""
