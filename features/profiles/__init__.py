"""Records to profiles: what the language analysis found, each thing with its field and offsets."""
