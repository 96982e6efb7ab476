export const monthWords = (months: number) => (months === 1 ? '1 month' : `${months} months`)
