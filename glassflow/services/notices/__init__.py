"""Notifications, announcements to stations, and system alerts."""
