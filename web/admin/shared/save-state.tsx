// Text beside a save button: when the settings were last saved, or that there are unsaved changes.
import textStyles from '../../base/ui/layout/text.module.css'
import { formatMoment } from './format/format-moment.ts'

export interface SaveStateProps {
  updatedAt: string | null
  isUnsaved?: boolean
  unsaved?: string
}

export function SaveState({
  updatedAt,
  isUnsaved = false,
  unsaved = 'Not saved yet.',
}: SaveStateProps) {
  return (
    <p className={textStyles.softSmall} role="status">
      {isUnsaved ? unsaved : `Last updated: ${updatedAt ? formatMoment(updatedAt) : 'Never'}`}
    </p>
  )
}
