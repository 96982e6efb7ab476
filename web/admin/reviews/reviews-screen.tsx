// /admin/reviews: creators see their own reviews, and editors see those of all creators.
import { useMay } from '../../base/session/use-may.ts'
import { EditorReviews } from './editor-reviews.tsx'
import { OwnReviews } from './own-reviews.tsx'

export function ReviewsScreen() {
  return useMay('editor') ? <EditorReviews /> : <OwnReviews />
}
