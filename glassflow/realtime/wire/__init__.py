"""The transport below Socket.IO: websockets, Engine.IO connections, library patches."""
