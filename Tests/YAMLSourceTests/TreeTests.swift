import Testing
import YAMLSource
