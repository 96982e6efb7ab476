// The member's picture: choose one, preview it immediately, see the upload's progress, or remove it.
import { IconPhotoUp, IconTrash } from '#web/base/ui/icons/icons.ts'
import { useEffect, useRef, useState } from 'react'
import type { Profile } from '#contract/profiles.ts'
import { ApiError } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { uploadFile } from '../../base/upload/upload-file.ts'
import { Avatar } from '../../base/ui/display/avatar.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './avatar-picker.module.css'
import { useUpdateProfile } from './profile-queries.ts'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function AvatarPicker({ profile }: { profile: Profile }) {
  const input = useRef<HTMLInputElement>(null)
  const { preview, share, upload } = useAvatarUpload()
  const removing = useUpdateProfile()
  const { avatar_url, display_name, email } = profile
  const isUploading = share !== undefined

  function remove() {
    removing.mutate(
      { avatar_path: null },
      {
        onSuccess: () => showToast({ tone: 'success', title: 'Picture removed' }),
        onError: (error) => showError(error),
      },
    )
  }

  return (
    <div className={styles.picker}>
      <span className={styles.picture} data-uploading={isUploading || undefined}>
        <Avatar url={preview ?? avatar_url} name={display_name || email} size={96} />
      </span>
      <div className={layout.grow}>
        <p className={styles.label}>Profile picture</p>
        {isUploading ? (
          <div className={styles.progress}>
            <ProgressBar label="Uploading picture" value={share} />
          </div>
        ) : (
          <p className={textStyles.faintSmall}>JPEG, PNG, WebP or AVIF, up to 20 MB.</p>
        )}
        <div className={styles.buttons}>
          <Button
            size="small"
            icon={<IconPhotoUp />}
            busy={isUploading}
            onClick={() => input.current?.click()}
          >
            Upload Picture
          </Button>
          {avatar_url && !isUploading && (
            <Button
              size="small"
              variant="quiet"
              icon={<IconTrash />}
              busy={removing.isPending}
              onClick={remove}
            >
              Remove
            </Button>
          )}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label="Profile picture"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void upload(file)
        }}
      />
    </div>
  )
}

/** `share` is the progress from 0 to 1 during an upload; `preview` is shown until it is complete. */
function useAvatarUpload() {
  const [preview, setPreview] = useState<string>()
  const [share, setShare] = useState<number>()
  const leaving = useRef(new AbortController())
  const { mutateAsync: update } = useUpdateProfile()

  useEffect(() => {
    const controller = (leaving.current = new AbortController())
    return () => controller.abort()
  }, [])

  async function upload(file: File) {
    const { signal } = leaving.current
    const url = URL.createObjectURL(file)
    setPreview(url)
    setShare(0)
    try {
      const options = { bucket: 'covers', onProgress: setShare, signal } as const
      await update({ avatar_path: await uploadFile(file, options) })
      showToast({
        tone: 'success',
        title: 'Avatar updated',
        message: 'Your profile picture has been updated successfully.',
      })
    } catch (error) {
      if (!signal.aborted) {
        // Suggest no retry for a rejected file: it would fail again.
        const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
        const words = isRefused ? undefined : 'Failed to upload avatar. Please try again.'
        showError(error, words, 'Upload failed')
      }
    }
    setPreview(undefined)
    setShare(undefined)
    URL.revokeObjectURL(url)
  }
  return { preview, share, upload }
}
