// `/api/v1/…` is the same as `/api/…`: the address is rewritten before anything else sees it, so rights, limits and every
// other check are the same (docs/release-policy.md says what a version promises).

const versioned = '/api/v1/'

export function rewriteVersionedPath({ url = '/' }: { url?: string }): string {
  return url.startsWith(versioned) ? `/api/${url.slice(versioned.length)}` : url
}
