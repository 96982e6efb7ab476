// Loads the code of the panels. A separate module, so that it can be prefetched without rendering.
export const loadQueuePanel = () => import('./queue-panel.tsx')
export const loadLyricsPanel = () => import('./lyrics-panel.tsx')
export const loadSettingsPanel = () => import('./settings-panel.tsx')

export async function loadPanels(): Promise<void> {
  await Promise.all([loadQueuePanel(), loadLyricsPanel(), loadSettingsPanel()])
}
