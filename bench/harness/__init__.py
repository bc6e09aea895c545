"""What every measurement needs: the server, child processes, offered load, results."""
