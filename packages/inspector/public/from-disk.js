// Opened from disk a page can't load modules; offline.html has the same inspector in one classic script.
if (location.protocol === 'file:') location.replace('offline.html' + location.hash)
