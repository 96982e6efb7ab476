// Form state of the service's logo and icon. Each is unchanged, replaced by a new image, or removed on save.
import { useCover, type DraftCover } from '../shared/use-cover.ts'

export interface DraftEmblems {
  logo: DraftCover
  icon: DraftCover
}

export function useEmblems(kept: DraftEmblems | null) {
  const logo = useEmblem(kept?.logo ?? null)
  const icon = useEmblem(kept?.icon ?? null)
  return {
    logo,
    icon,
    isChanged: logo.isChanged || icon.isChanged,
    kept: { logo: logo.kept, icon: icon.kept } satisfies DraftEmblems,
    clear() {
      logo.clear()
      icon.clear()
    },
    /** Resets the logo and the icon to their defaults. Only an image that is saved has to be removed. */
    reset(isSaved: { logo: boolean; icon: boolean }) {
      logo.upload.clear()
      logo.setIsRemoved(isSaved.logo)
      icon.upload.clear()
      icon.setIsRemoved(isSaved.icon)
    },
    /** Waits for the uploads and returns the paths for the request body. */
    async paths() {
      return { logo_path: await logo.path(), icon_path: await icon.path() }
    },
  }
}

function useEmblem(kept: DraftCover | null) {
  const cover = useCover(kept)
  return {
    ...cover,
    /** Returns the URL of the image in the preview: the new one, otherwise the saved one unless it is removed. */
    shownUrl: (current: string | null) =>
      cover.upload.previewUrl ?? (cover.isRemoved ? null : current),
  }
}
export type EmblemFile = ReturnType<typeof useEmblem>
