/** Whether this is the build of one classic script, for a page opened from disk. */
declare const __OFFLINE__: boolean
