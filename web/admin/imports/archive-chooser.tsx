// Card to start an import from a zip archive, a folder or a track list, which are selected or dropped on it.
import { IconFileZip, IconFolder, IconPlayerPlay, IconX } from '#web/base/ui/icons/icons.ts'
import { useQueryClient } from '@tanstack/react-query'
import {
  useEffect,
  useRef,
  useState,
  type ChangeEvent,
  type DragEvent,
  type RefObject,
} from 'react'
import { importTrackList, listName } from '#contract/admin/imports.ts'
import { call } from '../../base/api/api.ts'
import { useSession } from '../../base/session/session.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import {
  cancelArchive,
  discardArchive,
  resumeArchive,
  sendArchive,
  useArchiveUpload,
  type Needs,
  type ArchiveSource,
} from './archive-upload.ts'
import { readSelectedSource, readDroppedSource } from './archive-source.ts'
import styles from './imports-screen.module.css'

const listMaxLength = 700_000

export function ArchiveChooser() {
  const { name, interrupted, problem } = useArchiveUpload()
  const { take, resume, discard } = useArchiveImport()
  const file = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    void readDroppedSource(event.dataTransfer).then(take)
  }
  const choose = () => file.current?.click()
  return (
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Card
        title="Import from a file or folder"
        description="Songs from Suno, Udio or Bandcamp become drafts, with the lyrics and covers saved beside them. Add a CSV with a file column to set names and order. An export from another Velour is restored exactly, zipped or unpacked. Up to 50 GB. A track list (M3U, XSPF, CSV) becomes a playlist of songs already in the library."
      >
        <Fields file={file} folder={folder} onTake={(source) => void take(source)} />
        {name !== null ? (
          <Sending name={name} />
        ) : interrupted ? (
          <Interrupted
            {...interrupted}
            onChoose={() => (interrupted.needs === 'folder' ? folder : file).current?.click()}
            onResume={() => void resume()}
            onDiscard={() => void discard()}
          />
        ) : (
          <div className={styles.actions}>
            <Button variant="primary" icon={<IconFileZip />} onClick={choose}>
              Choose File
            </Button>
            <Button icon={<IconFolder />} onClick={() => folder.current?.click()}>
              Choose Folder
            </Button>
            <span className={styles.note}>or drop it here</span>
          </div>
        )}
        {problem !== null && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
      </Card>
    </div>
  )
}

interface FieldsProps {
  file: RefObject<HTMLInputElement | null>
  folder: RefObject<HTMLInputElement | null>
  onTake: (source: ArchiveSource | null) => void
}

/** An untyped object, because React's types lack the attribute `webkitdirectory`. */
const directoryAttribute = { webkitdirectory: '' }

/** The file inputs. They are hidden, and opened by buttons. */
function Fields({ file, folder, onTake }: FieldsProps) {
  const common = {
    className: styles.field,
    type: 'file',
    tabIndex: -1,
    onChange({ target }: ChangeEvent<HTMLInputElement>) {
      const source = readSelectedSource(target.files)
      target.value = ''
      onTake(source)
    },
  }
  return (
    <>
      <input
        {...common}
        ref={file}
        accept=".zip,application/zip,.m3u,.m3u8,.xspf,.csv"
        aria-label="File to import"
      />
      <input
        {...common}
        {...directoryAttribute}
        ref={folder}
        aria-label="Folder to import"
        multiple
      />
    </>
  )
}

/** Imports chosen files. On mount, resumes an upload that a reload interrupted. */
function useArchiveImport() {
  const queryClient = useQueryClient()
  const userId = useSession().user?.id ?? ''
  const sendList = useAdminMutation({
    run: async (file: File) => {
      const body = { filename: file.name, text: (await file.text()).slice(0, listMaxLength) }
      return call(importTrackList, { body })
    },
    refresh: ['playlists'],
    done: ({ title, found, total }) => `“${title}”: ${found} of ${total} tracks found`,
    failed: 'Failed to import the list',
  })
  async function afterwards(isSent: Promise<boolean>) {
    if (await isSent) await queryClient.invalidateQueries({ queryKey: ['admin', 'imports'] })
  }
  useEffect(() => {
    if (userId !== '') {
      void resumeArchive(userId).then((isSent) =>
        isSent ? queryClient.invalidateQueries({ queryKey: ['admin', 'imports'] }) : undefined,
      )
    }
  }, [userId, queryClient])
  return {
    async take(source: ArchiveSource | null) {
      if (!source) return
      if ('file' in source && listName.test(source.file.name)) sendList.mutate(source.file)
      else await afterwards(sendArchive(userId, source))
    },
    resume: () => afterwards(resumeArchive(userId, true)),
    discard: () => discardArchive(userId),
  }
}

function Sending({ name }: { name: string }) {
  const { share, step } = useArchiveUpload()
  return (
    <div className={styles.sending}>
      <p className={styles.note} role="status">
        {step === 'packing' ? 'Reading' : 'Sending'} {name} · {Math.round(share * 100)} %
      </p>
      <ProgressBar label={`Upload of ${name}`} value={share} />
      <Button size="small" icon={<IconX />} onClick={cancelArchive}>
        Cancel
      </Button>
    </div>
  )
}

interface InterruptedProps {
  name: string
  needs: Needs
  onChoose: () => void
  onResume: () => void
  onDiscard: () => void
}

function Interrupted({ name, needs, onChoose, onResume, onDiscard }: InterruptedProps) {
  return (
    <div className={styles.sending}>
      <p className={styles.note} role="status">
        The upload of {name} was interrupted. The uploaded part is saved.
        {needs !== 'permission' && ` Choose or drop the same ${needs} again to continue.`}
      </p>
      <div className={styles.acts}>
        {needs === 'permission' ? (
          <Button variant="primary" icon={<IconPlayerPlay />} onClick={onResume}>
            Continue
          </Button>
        ) : (
          <Button variant="primary" icon={<IconFileZip />} onClick={onChoose}>
            Choose Again
          </Button>
        )}
        <Button variant="quiet" icon={<IconX />} onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </div>
  )
}
