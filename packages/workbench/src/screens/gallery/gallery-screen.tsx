export default function GalleryScreen() {
  return null
}
