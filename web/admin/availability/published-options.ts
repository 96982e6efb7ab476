// Filter options. The first two are values of the parameter `published`, the others of `availability`.
export const publishedOptions = [
  { value: 'true', label: 'Published' },
  { value: 'false', label: 'Not published' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'early_access', label: 'In early access' },
  { value: 'premium_only', label: 'Premium only' },
]
