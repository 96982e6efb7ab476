// Options of the list filter for publication. The first two are values of the query parameter `published`, the others
// of the parameter `availability`.
export const publishedOptions = [
  { value: 'true', label: 'Published' },
  { value: 'false', label: 'Not published' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'early_access', label: 'In early access' },
  { value: 'premium_only', label: 'Premium only' },
]
