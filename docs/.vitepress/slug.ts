/** A heading's anchor, as the hosts of repositories make it, so that a link works in the repository and on the site. */
export function slug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
