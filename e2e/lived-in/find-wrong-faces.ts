// Finds headings that are not drawn in the font of headings. Asks the renderer, because styles only name the preferred
// font.
import type { CDPSession } from 'playwright-core'

interface PlatformFont {
  familyName: string
  isCustomFont: boolean
}

const headings = 'h1, h2, h3, h4, h5, h6, [role=heading]'
/** Text with characters that the two files of the heading font contain: Latin, its extensions, punctuation. */
export const latinOfDisplayFace =
  /^[\u0000-\u024F\u1E00-\u1EFF\u2000-\u206F\u20AC\u2122\u2191-\u2193\u2212]*$/u

export async function findWrongFaces(session: CDPSession): Promise<string[]> {
  const { root } = await session.send('DOM.getDocument', { depth: 0 })
  const { nodeIds } = await session.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: headings,
  })
  const wrong: string[] = []
  for (const nodeId of nodeIds) {
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
    const others = (fonts as PlatformFont[]).filter((font) => !isDisplayFace(font))
    if (others.length === 0) continue
    const { outerHTML } = await session.send('DOM.getOuterHTML', { nodeId })
    const text = outerHTML.replaceAll(/<[^>]*>/g, '').replaceAll(/&\w+;/g, '&')
    // Characters of other scripts and emoji use other fonts. Latin letters beside them must not.
    if (!latinOfDisplayFace.test(text) && (others.length < fonts.length || !/[a-z]/i.test(text)))
      continue
    wrong.push(
      `“${text.slice(0, 60)}” is drawn in ${others.map((font) => font.familyName).join(', ')}`,
    )
  }
  return wrong
}

function isDisplayFace({ familyName, isCustomFont }: PlatformFont): boolean {
  return isCustomFont && familyName.startsWith('Fraunces')
}
