// Has the browser fetch a file by itself: it streams to the disk, however long it is.
import { checkConfirmation } from '#contract/sessions.ts'
import { call, endpointUrl } from '../app/api.ts'

/** Asks first whether the person has to confirm that it's them: the browser's own request could not. */
export async function downloadFile(
  path: string,
  query: Record<string, unknown>,
  filename: string,
): Promise<void> {
  await call(checkConfirmation, {})
  const link = document.createElement('a')
  link.href = endpointUrl(path, { query })
  link.download = filename
  document.body.append(link)
  link.click()
  link.remove()
}
