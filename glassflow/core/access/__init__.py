"""Sessions, logins, rate limits, answers kept for repeated requests, and signed links."""
