"""What every use case stands on: time, numbers, transactions, what is told after."""
