// Downloads all data that the service has about the member as a file.
import { useMutation } from '@tanstack/react-query'
import { IconDownload } from '#web/base/ui/icons/icons.ts'
import { downloadMyData } from '#contract/profiles.ts'
import { send } from '../../base/api/api.ts'
import { saveFile } from '../../base/browser/save-file.ts'
import { showError } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import styles from './my-data.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function MyData() {
  const downloading = useMutation({
    async mutationFn() {
      const response = await send(downloadMyData.path, { method: downloadMyData.method })
      saveFile(await response.blob(), parseFileName(response))
    },
    onError: (error) => showError(error),
  })
  return (
    <section className={styles.row} aria-labelledby="my-data-heading">
      <div>
        <h3 id="my-data-heading" className={styles.heading}>
          Your data
        </h3>
        <p className={textStyles.faintSmall}>
          Profile, playlists, likes, plays, payments, gifts, messages and sessions, in one JSON
          file.
        </p>
      </div>
      <Button
        icon={<IconDownload />}
        busy={downloading.isPending}
        onClick={() => downloading.mutate()}
      >
        Download my data
      </Button>
    </section>
  )
}

/** Returns the file name from the response. */
function parseFileName({ headers }: Response): string {
  const [, name] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? []
  return name ?? 'velour-data.json'
}
