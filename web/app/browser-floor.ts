// Browsers older than those of package.json get the notice in index.html, which CSS hides for all others.

/** The two things that the floor was set by. Without them menus, lists and uploads throw. */
export function isBelowFloor(): boolean {
  return !('popover' in HTMLElement.prototype && 'any' in AbortSignal)
}
