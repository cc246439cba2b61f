"""The sharded engine: several processes search a part of the items each, so that nothing is missed."""
