"""Pick one of twenty: does the highest score find what belongs to an item (Beyer 2015, 4.3.2)?"""
