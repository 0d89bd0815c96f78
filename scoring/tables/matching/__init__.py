"""One page: readings, similarity, pairing, scores of field values. Pure."""
