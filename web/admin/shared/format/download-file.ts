// Downloads a file through the browser, which streams files of any size to disk.
import { checkConfirmation } from '#contract/sessions.ts'
import { call, endpointUrl } from '../../../base/api/api.ts'

/** First checks whether the user must re-authenticate, because the browser's own request can't prompt for it. */
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
